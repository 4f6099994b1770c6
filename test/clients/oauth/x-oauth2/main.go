// Signs a person in with golang.org/x/oauth2, in a browser or, without a redirect URI, as a device, which finds out by itself how a client authenticates. It knows neither discovery nor
// revocation: both are requests of their own.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	issuer, id, secret := os.Getenv("ISSUER"), os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET")
	var server struct {
		Authorization string `json:"authorization_endpoint"`
		Token         string `json:"token_endpoint"`
		Device        string `json:"device_authorization_endpoint"`
		Revocation    string `json:"revocation_endpoint"`
	}
	read(http.DefaultClient, issuer+"/.well-known/oauth-authorization-server", &server)
	config := oauth2.Config{
		ClientID:     id,
		ClientSecret: secret,
		RedirectURL:  os.Getenv("REDIRECT_URI"),
		Scopes:       []string{"profile"},
		Endpoint:     oauth2.Endpoint{AuthURL: server.Authorization, TokenURL: server.Token, DeviceAuthURL: server.Device},
	}

	signIn := inBrowser
	if config.RedirectURL == "" {
		signIn = asDevice
	}
	token, err := signIn(ctx, &config)
	check(err)
	fmt.Println("signedIn", email(ctx, &config, issuer, token))

	token, err = config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	check(err)
	fmt.Println("refreshed", email(ctx, &config, issuer, token))

	form := url.Values{"token": {token.RefreshToken}, "client_id": {id}}
	if secret != "" {
		form.Set("client_secret", secret)
	}
	answer, err := http.PostForm(server.Revocation, form)
	check(err)
	if answer.StatusCode != http.StatusOK {
		check(errors.New("revocation: " + answer.Status))
	}
	_, err = config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		check(fmt.Errorf("a revoked token was refreshed: %v", err))
	}
	fmt.Println("refusal", refused.ErrorCode)
}

func inBrowser(ctx context.Context, config *oauth2.Config) (*oauth2.Token, error) {
	verifier, state := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	fmt.Println("visit", config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	check(err)
	callback, err := url.Parse(strings.TrimSpace(line))
	check(err)
	if callback.Query().Get("state") != state {
		check(errors.New("another state came back"))
	}
	return config.Exchange(ctx, callback.Query().Get("code"), oauth2.VerifierOption(verifier))
}

// Each poll would be sent twice if the library had to find out how the client authenticates.
func asDevice(ctx context.Context, config *oauth2.Config) (*oauth2.Token, error) {
	config.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	device, err := config.DeviceAuth(ctx)
	check(err)
	fmt.Println("visit", device.VerificationURI+"#"+device.UserCode)
	return config.DeviceAccessToken(ctx, device)
}

func email(ctx context.Context, config *oauth2.Config, issuer string, token *oauth2.Token) string {
	var user struct {
		Email string `json:"email"`
	}
	read(config.Client(ctx, token), issuer+"/api/users/me", &user)
	return user.Email
}

func read(client *http.Client, address string, into any) {
	answer, err := client.Get(address)
	check(err)
	defer answer.Body.Close()
	check(json.NewDecoder(answer.Body).Decode(into))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
