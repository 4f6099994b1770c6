import type { BodyOf, ConsoleClient } from '../../../client/src/index.ts'

export type User = BodyOf<'getCurrentUser'>
export type UserSession = BodyOf<'listSessions'>['sessions'][number]
export type ActivityEntry = BodyOf<'listActivity'>['entries'][number]
export type Notifications = BodyOf<'getNotifications'>
export type Consent = BodyOf<'listConsents'>['consents'][number]
export type Organization = BodyOf<'getOrganization'>
export type Role = Organization['role']
/** A role that this console can give; a later API may know others. */
export type GivenRole = NonNullable<Parameters<ConsoleClient['updateMember']>[0]['body']['role']>
export type PricedProduct = BodyOf<'listProducts'>['products'][number]
export type Product = PricedProduct['product']
/** A product that this console can name in a request. */
export type NamedProduct = Parameters<ConsoleClient['cancelSubscription']>[0]['body']['product']
export type Subscription = BodyOf<'listSubscriptions'>['subscriptions'][number]
export type SubscriptionPrice = NonNullable<Subscription['price']>
export type Card = BodyOf<'listPaymentMethods'>['payment_methods'][number]
export type CancellationReason = NonNullable<Parameters<ConsoleClient['cancelSubscription']>[0]['body']['reason']>
export type Invoice = BodyOf<'listInvoices'>['invoices'][number]
export type BillingDetails = BodyOf<'getBillingDetails'>
export type Preview = BodyOf<'previewCheckout'>
export type CheckoutLine = BodyOf<'createCheckout'>[number]
/** A billing detail that an order lacks. */
export type DetailPath = NonNullable<Extract<CheckoutLine, { ok: false }>['missing']>[number]
export type Members = BodyOf<'listMembers'>
export type Domain = BodyOf<'listDomains'>['domains'][number]
export type SignOn = BodyOf<'getSingleSignOn'>
export type SignOnTest = BodyOf<'testSingleSignOn'>
export type SignInRules = BodyOf<'getSignInRules'>
export type Member = Members['members'][number]
export type Invitation = Members['invitations'][number]
export type ReceivedInvitation = BodyOf<'listReceivedInvitations'>['invitations'][number]
export type ApiClient = BodyOf<'listApiClients'>['api_clients'][number]
export type NewApiClient = BodyOf<'createApiClient'>
export type WebhookEndpoint = BodyOf<'listWebhookEndpoints'>['webhook_endpoints'][number]
export type NewWebhookEndpoint = BodyOf<'createWebhookEndpoint'>
/** An event type that an endpoint hears: known to this console or not, the API takes what it answered. */
export type HeardType = NonNullable<
  Parameters<ConsoleClient['updateWebhookEndpoint']>[0]['body']['event_types']
>[number]
export type WebhookDelivery = BodyOf<'listWebhookDeliveries'>['deliveries'][number]
export type AuditEntry = BodyOf<'listAuditLogEntries'>['entries'][number]
