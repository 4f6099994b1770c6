package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type entitlement struct {
	Product    string  `json:"product"`
	Active     bool    `json:"active"`
	ValidUntil *string `json:"valid_until"`
	UpdatedAt  *string `json:"updated_at"`
	// Of the event that it came with; 0 if it was read from the API.
	sequence int
}

type event struct {
	ID             string          `json:"id"`
	Type           string          `json:"type"`
	OrganizationID string          `json:"organization_id"`
	Sequence       *int            `json:"sequence"`
	Data           json.RawMessage `json:"data"`
}

// A backend that keeps a copy of entitlements: it reads them once as a service client, and then hears what changes.
type backend struct {
	sync.Mutex
	secrets []string
	copies  map[string]map[string]entitlement
	seen    map[string]bool
	counts  map[string]int
}

func (b *backend) receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	b.Lock()
	defer b.Unlock()
	if err != nil || !b.isSigned(body, request.Header) {
		b.counts["refused"]++
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	var sent event
	if json.Unmarshal(body, &sent) != nil {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	// Events arrive at least once.
	if b.seen[sent.ID] {
		b.counts["duplicates"]++
	} else if sent.Type == "entitlement.changed" && sent.Sequence != nil {
		b.apply(sent)
	}
	b.seen[sent.ID] = true
	response.WriteHeader(http.StatusNoContent)
}

// Ignores the timestamp: the clock of the service under test is ahead.
func (b *backend) isSigned(body []byte, headers http.Header) bool {
	for _, secret := range b.secrets {
		webhook, err := standardwebhooks.NewWebhook(secret)
		if err == nil && webhook.VerifyIgnoringTimestamp(body, headers) == nil {
			return true
		}
	}
	return false
}

// An event that another has overtaken changes nothing.
func (b *backend) apply(sent event) {
	var changed entitlement
	if json.Unmarshal(sent.Data, &changed) != nil {
		return
	}
	changed.sequence = *sent.Sequence
	copied := b.copies[sent.OrganizationID]
	if copied == nil {
		copied = map[string]entitlement{}
		b.copies[sent.OrganizationID] = copied
	}
	known, exists := copied[changed.Product]
	isOlder := known.sequence == 0 && known.UpdatedAt != nil && changed.UpdatedAt != nil && *changed.UpdatedAt < *known.UpdatedAt
	if exists && (known.sequence > changed.sequence || isOlder) {
		b.counts["overtaken"]++
		return
	}
	copied[changed.Product] = changed
	b.counts["applied"]++
}

// Reads the entitlements of an organization with the operator's service client.
func read(organization string) (map[string]entitlement, error) {
	base := os.Getenv("BASE")
	form := strings.NewReader("grant_type=client_credentials")
	request, _ := http.NewRequest(http.MethodPost, base+"/api/oauth/token", form)
	request.Header.Set("content-type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := fetch(request, &token); err != nil {
		return nil, err
	}
	query := url.Values{"organization_id": {organization}}.Encode()
	request, _ = http.NewRequest(http.MethodGet, base+"/api/billing/entitlements?"+query, nil)
	request.Header.Set("authorization", "Bearer "+token.AccessToken)
	var answer struct {
		Entitlements []entitlement `json:"entitlements"`
	}
	if err := fetch(request, &answer); err != nil {
		return nil, err
	}
	copied := map[string]entitlement{}
	for _, each := range answer.Entitlements {
		copied[each.Product] = each
	}
	return copied, nil
}

func fetch(request *http.Request, into any) error {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s was answered %d", request.URL.Path, response.StatusCode)
	}
	return json.NewDecoder(response.Body).Decode(into)
}

func main() {
	own := &backend{copies: map[string]map[string]entitlement{}, seen: map[string]bool{}, counts: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /events", own.receive)
	// The secrets of the endpoint, separated by spaces.
	mux.HandleFunc("PUT /secrets", func(response http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		own.Lock()
		defer own.Unlock()
		own.secrets = strings.Fields(string(body))
	})
	mux.HandleFunc("PUT /copies/{organization}", func(response http.ResponseWriter, request *http.Request) {
		copied, err := read(request.PathValue("organization"))
		if err != nil {
			http.Error(response, err.Error(), http.StatusBadGateway)
			return
		}
		own.Lock()
		defer own.Unlock()
		own.copies[request.PathValue("organization")] = copied
	})
	mux.HandleFunc("GET /copies/{organization}", func(response http.ResponseWriter, request *http.Request) {
		own.Lock()
		defer own.Unlock()
		copied := []entitlement{}
		for _, each := range own.copies[request.PathValue("organization")] {
			copied = append(copied, each)
		}
		_ = json.NewEncoder(response).Encode(map[string]any{"entitlements": copied, "counts": own.counts})
	})
	server := httptest.NewServer(mux)
	fmt.Println(server.URL)
	select {}
}
