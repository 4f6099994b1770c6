import com.stripe.Stripe;
import com.stripe.StripeClient;
import com.stripe.exception.CardException;
import com.stripe.model.Invoice;
import com.stripe.param.*;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/** A subscription's life by stripe-java: bought, changed, renewed by the clock, canceled, and read in lists of several pages. */
class Life {
  static final String base = System.getenv("STRIPE_BASE");

  static void check(boolean holds, Object what) {
    if (!holds) throw new IllegalStateException(String.valueOf(what));
  }

  static void advance(String span) throws Exception {
    var body = HttpRequest.BodyPublishers.ofString("{\"advance\": \"" + span + "\"}");
    var request = HttpRequest.newBuilder(URI.create(base + "/_emulator/clock")).POST(body).build();
    check(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode() == 200, span);
  }

  public static void main(String[] arguments) throws Exception {
    var client = StripeClient.builder().setApiKey(System.getenv("STRIPE_KEY")).setApiBase(base).build().v1();
    var product = client.products().create(ProductCreateParams.builder().setName("Mug of the month").build());
    var monthly = PriceCreateParams.Recurring.builder().setInterval(PriceCreateParams.Recurring.Interval.MONTH).build();
    var price = client.prices().create(
      PriceCreateParams.builder().setProduct(product.getId()).setCurrency("usd").setUnitAmount(900L).setRecurring(monthly).build());
    var customer = client.customers().create(CustomerCreateParams.builder()
      .setPaymentMethod("pm_card_visa")
      .setInvoiceSettings(CustomerCreateParams.InvoiceSettings.builder().setDefaultPaymentMethod("pm_card_visa").build())
      .build());
    var bought = client.subscriptions().create(SubscriptionCreateParams.builder()
      .setCustomer(customer.getId())
      .addItem(SubscriptionCreateParams.Item.builder().setPrice(price.getId()).build())
      .addExpand("latest_invoice.payments")
      .build());
    check(bought.getStatus().equals("active") && bought.getLatestInvoiceObject().getAmountPaid() == 900, bought);
    var item = SubscriptionUpdateParams.Item.builder().setId(bought.getItems().getData().get(0).getId()).setQuantity(3L).build();
    var changed = client.subscriptions().update(bought.getId(), SubscriptionUpdateParams.builder()
      .addItem(item)
      .setProrationBehavior(SubscriptionUpdateParams.ProrationBehavior.NONE)
      .build());
    check(changed.getItems().getData().get(0).getQuantity() == 3, changed);
    advance("1 month");
    advance("2 hours");
    List<Long> paid = new ArrayList<>();
    var list = InvoiceListParams.builder().setCustomer(customer.getId()).setLimit(1L).build();
    for (Invoice invoice : client.invoices().list(list).autoPagingIterable()) paid.add(invoice.getAmountPaid());
    check(paid.equals(List.of(2700L, 900L)), paid);
    try {
      client.customers().create(CustomerCreateParams.builder().setPaymentMethod("pm_card_chargeDeclined").build());
      check(false, "a declined card was saved");
    } catch (CardException refused) {
      check(refused.getCode().equals("card_declined") && refused.getStatusCode() == 402, refused);
    }
    var canceled = client.subscriptions().cancel(bought.getId());
    check(canceled.getStatus().equals("canceled"), canceled);
    System.out.println(Stripe.VERSION + " " + Stripe.API_VERSION);
  }
}
