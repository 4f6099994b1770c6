import com.google.gson.JsonObject
import com.google.gson.JsonParser
import console.apis.AccountsApi
import console.apis.BillingApi
import console.apis.OAuthApi
import console.infrastructure.ApiClient
import console.infrastructure.ClientException
import console.infrastructure.Serializer
import console.models.BoughtLine
import console.models.CreateCheckoutRequest
import console.models.CreateTokenRequest
import console.models.Entitlement
import console.models.RefusedLine
import java.io.File
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.util.UUID

private val settings: JsonObject = JsonParser.parseString(File(System.getenv("PURCHASE_SETTINGS")).readText()).asJsonObject

private fun given(name: String) = settings.get(name).asString

/** Buys a product with the client that openapi-generator writes for Kotlin. */
fun main() {
    val base = given("base_url")
    ApiClient.accessToken = "none"
    expect("a refusal", refusal { AccountsApi(base).getCurrentUser() }, 401)

    val grant = CreateTokenRequest(
        grantType = "authorization_code", code = given("code"), redirectUri = given("redirect_uri"),
        clientId = given("client_id"), clientSecret = given("client_secret"),
    )
    ApiClient.accessToken = OAuthApi(base).createToken(grant).accessToken

    val billing = BillingApi(base)
    val organization = UUID.fromString(given("organization_id"))
    val card = setUpCard(billing.createSetupIntent(organization).clientSecret)
    val lines = billing.createCheckout(organization, CreateCheckoutRequest(listOf("base_ota", "no_such_plan"), card))
    val bought = lines[0].actualInstance as BoughtLine
    expect("the bought line", "${bought.product} ${bought.subscription.status}", "ota active")
    expect("the refused line", (lines[1].actualInstance as RefusedLine).error, "unknown_plan")

    val active = billing.listEntitlements(organization).entitlements.filter { it.active }.map { it.product }
    expect("entitlements", active, listOf("ota"))

    // A later version sells more.
    val later = """{"product":"a_later_product","active":true,"valid_until":null,"updated_at":"2030-01-01T00:00:00Z"}"""
    expect("a later product", Serializer.gson.fromJson(later, Entitlement::class.java).product, "a_later_product")

    expect("an empty cart", refusal { billing.createCheckout(organization, CreateCheckoutRequest(listOf())) }, 422)
}

/** Does what Stripe.js does in a browser. Returns the id of the card. */
private fun setUpCard(clientSecret: String): String {
    val uri = URI.create("${given("stripe_api_base")}/v1/setup_intents/${clientSecret.substringBefore("_secret_")}/confirm")
    val request = HttpRequest.newBuilder(uri)
        .header("authorization", "Bearer ${given("stripe_secret_key")}")
        .header("content-type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString("payment_method=pm_card_visa"))
    val answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body()
    return JsonParser.parseString(answer).asJsonObject.get("payment_method").asString
}

private fun refusal(call: () -> Unit): Int {
    try {
        call()
    } catch (refused: ClientException) {
        return refused.statusCode
    }
    error("not refused")
}

private fun expect(what: String, found: Any?, expected: Any) {
    check(found == expected) { "$what: $found instead of $expected" }
}
