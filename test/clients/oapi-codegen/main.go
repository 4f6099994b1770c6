// Buys a product with the client that oapi-codegen generates.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/google/uuid"

	"purchase/api"
)

type settings struct {
	BaseURL         string    `json:"base_url"`
	ClientID        string    `json:"client_id"`
	ClientSecret    string    `json:"client_secret"`
	RedirectURI     string    `json:"redirect_uri"`
	Code            string    `json:"code"`
	OrganizationID  uuid.UUID `json:"organization_id"`
	StripeAPIBase   string    `json:"stripe_api_base"`
	StripeSecretKey string    `json:"stripe_secret_key"`
}

func main() {
	var given settings
	text, err := os.ReadFile(os.Getenv("PURCHASE_SETTINGS"))
	check(err)
	check(json.Unmarshal(text, &given))
	ctx := context.Background()
	var token string
	client, err := api.NewClientWithResponses(given.BaseURL, api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			if token != "" {
				request.Header.Set("Authorization", "Bearer "+token)
			}
			return nil
		}))
	check(err)

	unauthorized, err := client.GetCurrentUserWithResponse(ctx, nil)
	check(err)
	expect("an error", unauthorized.JSON401.Code, "unauthorized")

	issued, err := client.CreateTokenWithResponse(ctx, api.CreateTokenJSONRequestBody{
		GrantType: "authorization_code", ClientId: given.ClientID, ClientSecret: &given.ClientSecret,
		RedirectUri: &given.RedirectURI, Code: &given.Code,
	})
	check(err)
	token = issued.JSON200.AccessToken

	id := given.OrganizationID
	intent, err := client.CreateSetupIntentWithResponse(ctx, &api.CreateSetupIntentParams{OrganizationId: id})
	check(err)
	card := setUpCard(given, intent.JSON200.ClientSecret)
	params := &api.CreateCheckoutParams{OrganizationId: id}
	checkout, err := client.CreateCheckoutWithResponse(ctx, params, api.CreateCheckoutJSONRequestBody{
		ProductCodes: []string{"base_ota", "no_such_plan"}, PaymentMethodId: &card,
	})
	check(err)
	lines := *checkout.JSON201
	bought, err := lines[0].AsBoughtLine()
	check(err)
	expect("the bought line", fmt.Sprint(bought.Ok, bought.Product, bought.Subscription.Status), fmt.Sprint(true, "ota", "active"))
	refused, err := lines[1].AsRefusedLine()
	check(err)
	expect("the refused line", fmt.Sprint(refused.Ok, refused.Error), fmt.Sprint(false, "unknown_plan"))

	list, err := client.ListEntitlementsWithResponse(ctx, &api.ListEntitlementsParams{OrganizationId: id})
	check(err)
	var active []string
	for _, entitlement := range list.JSON200.Entitlements {
		if entitlement.Active {
			active = append(active, string(entitlement.Product))
		}
	}
	expect("entitlements", strings.Join(active, " "), "ota")

	// A later version sells more and knows other states.
	var later struct {
		Product api.Entitlement  `json:"product"`
		Line    api.RefusedLine  `json:"line"`
		Role    api.Organization `json:"role"`
	}
	check(json.Unmarshal([]byte(`{"product":{"product":"a_later_product"},"line":{"error":"a_later_error"},"role":{"role":"a_later_role"}}`), &later))
	found := fmt.Sprint(later.Product.Product, " ", later.Line.Error, " ", later.Role.Role)
	expect("later values", found, "a_later_product a_later_error a_later_role")

	// An action of the audit log has a detail of its own; one of a later version has anything.
	var entries []api.AuditEntry
	check(json.Unmarshal([]byte(`[{"action":"organization.renamed","detail":{"from":"Acme","to":"Beta"}},
		{"action":"drone.flown","detail":{"height":{"meters":120}}}]`), &entries))
	var renamed api.OrganizationRenamedDetail
	text, err = json.Marshal(entries[0].Detail)
	check(err)
	check(json.Unmarshal(text, &renamed))
	expect("details", fmt.Sprint(renamed.From, " ", renamed.To, " ", entries[1].Action), "Acme Beta drone.flown")

	invalid, err := client.CreateCheckoutWithResponse(ctx, params, api.CreateCheckoutJSONRequestBody{ProductCodes: []string{}})
	check(err)
	var place []string
	for _, step := range invalid.JSON422.Detail[0].Loc {
		name, err := step.AsValidationErrorLoc0()
		check(err)
		place = append(place, name)
	}
	expect("the place of a problem", strings.Join(place, "."), "body.product_codes")
}

// setUpCard does what Stripe.js does in a browser, and returns the id of the card.
func setUpCard(given settings, clientSecret string) string {
	id, _, _ := strings.Cut(clientSecret, "_secret_")
	body := strings.NewReader(url.Values{"payment_method": {"pm_card_visa"}}.Encode())
	request, err := http.NewRequest("POST", given.StripeAPIBase+"/v1/setup_intents/"+id+"/confirm", body)
	check(err)
	request.Header.Set("Authorization", "Bearer "+given.StripeSecretKey)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	var confirmed struct {
		PaymentMethod string `json:"payment_method"`
	}
	check(json.NewDecoder(response.Body).Decode(&confirmed))
	return confirmed.PaymentMethod
}

func expect(what string, found string, expected string) {
	if found != expected {
		check(fmt.Errorf("%s: %q instead of %q", what, found, expected))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
