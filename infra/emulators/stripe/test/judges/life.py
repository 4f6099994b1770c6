"""A subscription's life by stripe-python: bought, changed, renewed by the clock, canceled, and read in lists of several pages."""

import json
import os
import urllib.request

import stripe

base = os.environ["STRIPE_BASE"]
client = stripe.StripeClient(os.environ["STRIPE_KEY"], base_addresses={"api": base})


def advance(span):
    body = json.dumps({"advance": span}).encode()
    urllib.request.urlopen(f"{base}/_emulator/clock", body).read()


product = client.v1.products.create({"name": "Mug of the month"})
price = client.v1.prices.create(
    {"product": product.id, "currency": "usd", "unit_amount": 900, "recurring": {"interval": "month"}}
)
customer = client.v1.customers.create(
    {"payment_method": "pm_card_visa", "invoice_settings": {"default_payment_method": "pm_card_visa"}}
)
bought = client.v1.subscriptions.create(
    {"customer": customer.id, "items": [{"price": price.id}], "expand": ["latest_invoice.payments"]}
)
assert bought.status == "active" and bought.latest_invoice.amount_paid == 900
changed = client.v1.subscriptions.update(
    bought.id, {"items": [{"id": bought["items"].data[0].id, "quantity": 3}], "proration_behavior": "none"}
)
assert changed["items"].data[0].quantity == 3
advance("1 month")
advance("2 hours")
invoices = list(client.v1.invoices.list({"customer": customer.id, "limit": 1}).auto_paging_iter())
assert [invoice.amount_paid for invoice in invoices] == [2700, 900], invoices
assert [line.amount for line in invoices[0].lines.auto_paging_iter()] == [2700]
try:
    client.v1.customers.create({"payment_method": "pm_card_chargeDeclined"})
    raise AssertionError("a declined card was saved")
except stripe.CardError as error:
    assert error.code == "card_declined" and error.http_status == 402
canceled = client.v1.subscriptions.cancel(bought.id)
assert canceled.status == "canceled"
assert not client.v1.subscriptions.list({"customer": customer.id}).data
# Events reach back 30 days: those of the purchase are gone.
events = [event.type for event in client.v1.events.list({"limit": 5}).auto_paging_iter()]
assert events[0] == "customer.subscription.deleted" and events.count("invoice.paid") == 1, events
print(stripe.VERSION, stripe.api_version)
