// What the programs of this folder share: who they are, what they say to the process that started them, and how they revoke a token.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"golang.org/x/oauth2"
)

var (
	issuer       = os.Getenv("ISSUER")
	clientID     = os.Getenv("CLIENT_ID")
	clientSecret = os.Getenv("CLIENT_SECRET")
	redirectURL  = os.Getenv("REDIRECT_URI")
)

// visit sends the person's browser to a link, and returns the code that it comes back with.
func visit(link, state string) string {
	fmt.Println("visit", link)
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	check(err)
	callback, err := url.Parse(strings.TrimSpace(line))
	check(err)
	if callback.Query().Get("state") != state {
		check(errors.New("another state came back"))
	}
	return callback.Query().Get("code")
}

// revoke revokes a refresh token, and says how its use is refused then.
func revoke(ctx context.Context, config *oauth2.Config, endpoint, refreshToken string) {
	form := url.Values{"token": {refreshToken}, "client_id": {config.ClientID}}
	if config.ClientSecret != "" {
		form.Set("client_secret", config.ClientSecret)
	}
	answer, err := http.PostForm(endpoint, form)
	check(err)
	if answer.StatusCode != http.StatusOK {
		check(errors.New("revocation: " + answer.Status))
	}
	_, err = config.TokenSource(ctx, &oauth2.Token{RefreshToken: refreshToken}).Token()
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		check(fmt.Errorf("a revoked token was refreshed: %v", err))
	}
	fmt.Println("refusal", refused.ErrorCode)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
