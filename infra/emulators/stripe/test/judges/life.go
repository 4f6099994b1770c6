// A subscription's life by stripe-go: bought, changed, renewed by the clock, canceled, and read in lists of several pages.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/stripe/stripe-go/v85"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(holds bool, what ...any) {
	if !holds {
		panic(fmt.Sprint(what...))
	}
}

func advance(span string) {
	body := strings.NewReader(fmt.Sprintf(`{"advance": %q}`, span))
	check(must(http.Post(os.Getenv("STRIPE_BASE")+"/_emulator/clock", "application/json", body)).StatusCode == 200, span)
}

func main() {
	ctx := context.Background()
	backends := stripe.NewBackendsWithConfig(&stripe.BackendConfig{URL: stripe.String(os.Getenv("STRIPE_BASE"))})
	client := stripe.NewClient(os.Getenv("STRIPE_KEY"), stripe.WithBackends(backends))
	product := must(client.V1Products.Create(ctx, &stripe.ProductCreateParams{Name: stripe.String("Mug of the month")}))
	price := must(client.V1Prices.Create(ctx, &stripe.PriceCreateParams{
		Product:    stripe.String(product.ID),
		Currency:   stripe.String("usd"),
		UnitAmount: stripe.Int64(900),
		Recurring:  &stripe.PriceCreateRecurringParams{Interval: stripe.String("month")},
	}))
	card := stripe.String("pm_card_visa")
	customer := must(client.V1Customers.Create(ctx, &stripe.CustomerCreateParams{
		PaymentMethod:   card,
		InvoiceSettings: &stripe.CustomerCreateInvoiceSettingsParams{DefaultPaymentMethod: card},
	}))
	buy := &stripe.SubscriptionCreateParams{
		Customer: stripe.String(customer.ID),
		Items:    []*stripe.SubscriptionCreateItemParams{{Price: stripe.String(price.ID)}},
	}
	buy.AddExpand("latest_invoice.payments")
	bought := must(client.V1Subscriptions.Create(ctx, buy))
	check(bought.Status == "active" && bought.LatestInvoice.AmountPaid == 900, bought.Status)
	changed := must(client.V1Subscriptions.Update(ctx, bought.ID, &stripe.SubscriptionUpdateParams{
		Items:             []*stripe.SubscriptionUpdateItemParams{{ID: stripe.String(bought.Items.Data[0].ID), Quantity: stripe.Int64(3)}},
		ProrationBehavior: stripe.String("none"),
	}))
	check(changed.Items.Data[0].Quantity == 3, "quantity")
	advance("1 month")
	advance("2 hours")
	paid := []int64{}
	list := &stripe.InvoiceListParams{Customer: stripe.String(customer.ID)}
	list.Limit = stripe.Int64(1)
	for invoice, err := range client.V1Invoices.List(ctx, list).All(ctx) {
		paid = append(paid, must(invoice, err).AmountPaid)
	}
	check(fmt.Sprint(paid) == "[2700 900]", paid)
	_, err := client.V1Customers.Create(ctx, &stripe.CustomerCreateParams{PaymentMethod: stripe.String("pm_card_chargeDeclined")})
	var refused *stripe.Error
	check(errors.As(err, &refused) && refused.Code == "card_declined" && refused.HTTPStatusCode == 402, err)
	canceled := must(client.V1Subscriptions.Cancel(ctx, bought.ID, nil))
	check(canceled.Status == "canceled", canceled.Status)
	fmt.Println(stripe.ClientVersion, stripe.APIVersion)
}
