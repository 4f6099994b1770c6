package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
)

type key struct{}

func organizationOf(request *http.Request) string {
	organization, _ := request.Context().Value(key{}).(string)
	return organization
}

// A product server whose requests name the organization in a header, where a real one knows it from its session.
func main() {
	served := http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) { fmt.Fprint(response, "served") })
	guarded := requires("ota", served)
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		organization := request.Header.Get("x-organization")
		guarded.ServeHTTP(response, request.WithContext(context.WithValue(request.Context(), key{}, organization)))
	}))
	fmt.Println(server.URL[len("http://127.0.0.1:"):])
	select {}
}
