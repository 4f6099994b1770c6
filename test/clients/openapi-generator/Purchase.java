import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import console.ApiClient;
import console.ApiException;
import console.api.AccountsApi;
import console.api.BillingApi;
import console.api.OAuthApi;
import console.model.BoughtLine;
import console.model.CreateCheckoutRequest;
import console.model.CreateTokenRequest;
import console.model.Entitlement;
import console.model.RefusedLine;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** Buys a product with the client that openapi-generator writes for Java. */
public class Purchase {
  static JsonObject settings;

  public static void main(String[] args) throws Exception {
    settings = JsonParser.parseString(Files.readString(Path.of(System.getenv("PURCHASE_SETTINGS")))).getAsJsonObject();
    var client = new ApiClient().setBasePath(given("base_url"));

    client.setBearerToken("none");
    var unauthorized = refusal(() -> new AccountsApi(client).getCurrentUser(null));
    expect("a refusal", unauthorized.getCode() + " " + codeOf(unauthorized), "401 invalid_token");

    var token = new OAuthApi(client).createToken(new CreateTokenRequest()
        .grantType("authorization_code").code(given("code")).redirectUri(given("redirect_uri"))
        .clientId(given("client_id")).clientSecret(given("client_secret")));
    client.setBearerToken(token.getAccessToken());

    var billing = new BillingApi(client);
    var organization = UUID.fromString(given("organization_id"));
    var card = setUpCard(billing.createSetupIntent(organization, null).getClientSecret());
    var cart = new CreateCheckoutRequest().productCodes(List.of("base_ota", "no_such_plan")).paymentMethodId(card);
    var lines = billing.createCheckout(organization, cart);
    var bought = (BoughtLine) lines.get(0).getActualInstance();
    expect("the bought line", bought.getProduct() + " " + bought.getSubscription().getStatus(), "ota active");
    expect("the refused line", ((RefusedLine) lines.get(1).getActualInstance()).getError(), "unknown_plan");

    var active = billing.listEntitlements(organization, null).getEntitlements().stream()
        .filter(Entitlement::getActive).map(Entitlement::getProduct).toList();
    expect("entitlements", active, List.of("ota"));

    // A later version sells more.
    var later = Entitlement.fromJson("""
        {"product":"a_later_product","active":true,"valid_until":null,"updated_at":"2030-01-01T00:00:00Z"}""");
    expect("a later product", later.getProduct(), "a_later_product");

    var invalid = refusal(() -> billing.createCheckout(organization, new CreateCheckoutRequest().productCodes(List.of())));
    expect("an empty cart", invalid.getCode(), 422);
  }

  /** Does what Stripe.js does in a browser. Returns the id of the card. */
  static String setUpCard(String clientSecret) throws Exception {
    var uri = URI.create(given("stripe_api_base") + "/v1/setup_intents/" + clientSecret.split("_secret_")[0] + "/confirm");
    var request = HttpRequest.newBuilder(uri)
        .header("authorization", "Bearer " + given("stripe_secret_key"))
        .header("content-type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString("payment_method=pm_card_visa"));
    var answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
    return JsonParser.parseString(answer).getAsJsonObject().get("payment_method").getAsString();
  }

  interface Call {
    void run() throws ApiException;
  }

  static ApiException refusal(Call call) {
    try {
      call.run();
    } catch (ApiException refused) {
      return refused;
    }
    throw new IllegalStateException("not refused");
  }

  static String codeOf(ApiException refused) {
    return JsonParser.parseString(refused.getResponseBody()).getAsJsonObject().get("code").getAsString();
  }

  static String given(String name) {
    return settings.get(name).getAsString();
  }

  static void expect(String what, Object found, Object expected) {
    if (!expected.equals(found)) throw new IllegalStateException(what + ": " + found + " instead of " + expected);
  }
}
