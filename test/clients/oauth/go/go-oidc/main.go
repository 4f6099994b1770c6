// Signs a person in with github.com/coreos/go-oidc, which finds the provider by OpenID discovery, verifies the id_token and the hash of
// the access token in it, and reads UserInfo. Revocation is a request of its own.
package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, issuer)
	check(err)
	verifier := provider.Verifier(&oidc.Config{ClientID: clientID})
	config := oauth2.Config{
		ClientID:     clientID,
		ClientSecret: clientSecret,
		RedirectURL:  redirectURL,
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
		Endpoint:     provider.Endpoint(),
	}

	code, state, nonce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	link := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(code))
	token, err := config.Exchange(ctx, visit(link, state), oauth2.VerifierOption(code))
	check(err)
	signedIn := verified(ctx, verifier, token)
	if signedIn.Nonce != nonce {
		check(errors.New("another nonce came back"))
	}
	fmt.Println("signedIn", email(ctx, provider, &config, token, signedIn.Subject))

	token, err = config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	check(err)
	refreshed := verified(ctx, verifier, token)
	if refreshed.Nonce != "" {
		check(errors.New("a refreshed id_token has a nonce"))
	}
	fmt.Println("refreshed", email(ctx, provider, &config, token, signedIn.Subject))

	var server struct {
		Revocation string `json:"revocation_endpoint"`
	}
	check(provider.Claims(&server))
	revoke(ctx, &config, server.Revocation, token.RefreshToken)
}

func verified(ctx context.Context, verifier *oidc.IDTokenVerifier, token *oauth2.Token) *oidc.IDToken {
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		check(errors.New("no id_token"))
	}
	idToken, err := verifier.Verify(ctx, raw)
	check(err)
	check(idToken.VerifyAccessToken(token.AccessToken))
	return idToken
}

func email(ctx context.Context, provider *oidc.Provider, config *oauth2.Config, token *oauth2.Token, subject string) string {
	info, err := provider.UserInfo(ctx, config.TokenSource(ctx, token))
	check(err)
	if info.Subject != subject || !info.EmailVerified {
		check(fmt.Errorf("UserInfo of %s: %+v", subject, info))
	}
	return info.Email
}
