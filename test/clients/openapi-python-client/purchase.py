"""Buys a product with the client that openapi-python-client generates."""

import json
import os
from uuid import UUID

import httpx

from console_client import AuthenticatedClient
from console_client.api.accounts import get_current_user
from console_client.api.billing import create_checkout, create_setup_intent, list_entitlements
from console_client.models import (
    AuditEntry,
    BoughtLine,
    CreateCheckoutBody,
    EntitlementList,
    Error,
    HTTPValidationError,
    OrganizationRenamedDetail,
    RefusedLine,
    SetupIntent,
    Token,
)

with open(os.environ["PURCHASE_SETTINGS"], encoding="utf-8") as file:
    settings: dict[str, str] = json.load(file)

unauthorized = get_current_user.sync(client=AuthenticatedClient(base_url=settings["base_url"], token="none"))
assert isinstance(unauthorized, Error) and unauthorized.code == "invalid_token", unauthorized

# With a form, as OAuth libraries do: version 0.29.1 writes a module that does not load for an operation with two media types.
grant = {name: settings[name] for name in ("client_id", "client_secret", "redirect_uri", "code")}
issued = httpx.post(f"{settings['base_url']}/api/oauth/token", data={"grant_type": "authorization_code", **grant})
token = Token.from_dict(issued.json())
client = AuthenticatedClient(base_url=settings["base_url"], token=token.access_token)

organization_id = UUID(settings["organization_id"])
intent = create_setup_intent.sync(client=client, organization_id=organization_id)
assert isinstance(intent, SetupIntent), intent
# What Stripe.js does in a browser.
confirmed = httpx.post(
    f"{settings['stripe_api_base']}/v1/setup_intents/{intent.client_secret.split('_secret_')[0]}/confirm",
    headers={"authorization": f"Bearer {settings['stripe_secret_key']}"},
    data={"payment_method": "pm_card_visa"},
)
cart = CreateCheckoutBody(product_codes=["base_ota", "no_such_plan"], payment_method_id=confirmed.json()["payment_method"])
lines = create_checkout.sync(client=client, organization_id=organization_id, body=cart)
assert isinstance(lines, list), lines
bought, refused = lines
assert isinstance(bought, BoughtLine) and bought.product == "ota" and bought.subscription.status == "active", bought
assert isinstance(refused, RefusedLine) and refused.error == "unknown_plan", refused

entitlements = list_entitlements.sync(client=client, organization_id=organization_id)
assert isinstance(entitlements, EntitlementList), entitlements
active = [entitlement.product for entitlement in entitlements.entitlements if entitlement.active]
assert active == ["ota"], active

# A later version sells more and knows other states.
later = EntitlementList.from_dict(
    {
        "entitlements": [
            {"product": "a_later_product", "active": True, "valid_until": None, "updated_at": "2030-01-01T00:00:00Z"}
        ],
        "updated_at": "2030-01-01T00:00:00Z",
        "next_cursor": None,
    }
)
assert later.entitlements[0].product == "a_later_product", later
later_line = RefusedLine.from_dict({"ok": False, "product_code": "base_ota", "error": "a_later_error", "detail": ""})
assert later_line.error == "a_later_error", later_line

# An action of the audit log has a detail of its own; one of a later version has anything.
entry = {
    "id": settings["organization_id"],
    "at": "2030-01-01T00:00:00.000Z",
    "actor": {"type": "user", "id": "1"},
    "action": "organization.renamed",
    "target": "1",
    "detail": {"from": "Acme", "to": "Beta"},
}
renamed = OrganizationRenamedDetail.from_dict(AuditEntry.from_dict(entry).detail.to_dict())
assert (renamed.from_, renamed.to) == ("Acme", "Beta"), renamed
flown = AuditEntry.from_dict({**entry, "action": "drone.flown", "detail": {"height": {"meters": 120}}})
assert (flown.action, flown.detail.to_dict()) == ("drone.flown", {"height": {"meters": 120}}), flown

invalid = create_checkout.sync(client=client, organization_id=organization_id, body=CreateCheckoutBody(product_codes=[]))
assert isinstance(invalid, HTTPValidationError), invalid
assert invalid.detail[0].loc == ["body", "product_codes"], invalid
