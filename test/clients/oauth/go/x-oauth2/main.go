// Signs a person in with golang.org/x/oauth2, in a browser or, without a redirect URI, as a device, which finds out by itself how a client authenticates. It knows neither discovery nor
// revocation: both are requests of their own.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	var server struct {
		Authorization string `json:"authorization_endpoint"`
		Token         string `json:"token_endpoint"`
		Device        string `json:"device_authorization_endpoint"`
		Revocation    string `json:"revocation_endpoint"`
	}
	read(http.DefaultClient, issuer+"/.well-known/oauth-authorization-server", &server)
	config := oauth2.Config{
		ClientID:     clientID,
		ClientSecret: clientSecret,
		RedirectURL:  redirectURL,
		Scopes:       []string{"profile"},
		Endpoint:     oauth2.Endpoint{AuthURL: server.Authorization, TokenURL: server.Token, DeviceAuthURL: server.Device},
	}

	signIn := inBrowser
	if redirectURL == "" {
		signIn = asDevice
	}
	token, err := signIn(ctx, &config)
	check(err)
	fmt.Println("signedIn", email(ctx, &config, token))

	token, err = config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	check(err)
	fmt.Println("refreshed", email(ctx, &config, token))

	revoke(ctx, &config, server.Revocation, token.RefreshToken)
}

func inBrowser(ctx context.Context, config *oauth2.Config) (*oauth2.Token, error) {
	verifier, state := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	link := config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))
	return config.Exchange(ctx, visit(link, state), oauth2.VerifierOption(verifier))
}

// Each poll would be sent twice if the library had to find out how the client authenticates.
func asDevice(ctx context.Context, config *oauth2.Config) (*oauth2.Token, error) {
	config.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	device, err := config.DeviceAuth(ctx)
	check(err)
	fmt.Println("visit", device.VerificationURI+"#"+device.UserCode)
	return config.DeviceAccessToken(ctx, device)
}

func email(ctx context.Context, config *oauth2.Config, token *oauth2.Token) string {
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
