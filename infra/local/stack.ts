import { tables } from '../../lib/adapters/dynamodb/tables.ts'
import type { Clock } from '../../lib/core/clock.ts'
import {
  demoClient,
  demoDeviceClient,
  demoOrganizations,
  demoPublicClient,
  demoServiceClient,
  demoUsers,
  localKeys,
  localSecrets,
} from '../data/demo.ts'
import { openKms, readTokenPublicKey } from './dependencies/openKms.ts'
import { openSes } from './dependencies/openSes.ts'
import { openStores } from './dependencies/openStores.ts'
import { openStripe } from './dependencies/openStripe.ts'
import { seedAccounts } from './dependencies/seedAccounts.ts'
import { DNS_PATH } from './dns/dnsControls.ts'
import { startNameServer } from './dns/nameServer.ts'
import { EVENTS_PATH } from './events/eventControls.ts'
import { openEvents } from './events/openEvents.ts'
import { createReceiver } from './events/receiver.ts'
import { dummyCredentials, functionEnvironment, setEnvironment } from './functionEnvironment.ts'
import type { WireAnswer } from './http/apiGatewayAnswer.ts'
import type { WireRequest } from './http/apiGatewayEvent.ts'
import { localControls } from './http/controls.ts'
import { startHttpServer } from './http/httpServer.ts'
import { consoleRequestLog, silentRequestLog } from './http/requestLog.ts'
import { matchApiRoute, matchUrl } from './http/router.ts'
import type { LocalInfo } from './info.ts'
import { invokeFunction } from './invokeFunction.ts'
import { withClockNotice } from './pages/clockControls.ts'
import { openProvider } from './provider/openProvider.ts'
import { createResourceScope, type ResourceScope } from './resourceScope.ts'
import { runSchedules } from './runSchedules.ts'
import { readSettings } from './settings.ts'
import { watchSources } from './sourceReload.ts'

interface StackOptions {
  /** Port of the API. Defaults to a free port, like every other port. */
  readonly port?: number
  /** Folder that keeps the tables and the gateway's state between runs. In memory by default. */
  readonly dataDir?: string
  /** Overrides variables of the process, such as `AWS_ENDPOINT_URL_DYNAMODB`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Suppresses the line for each request. */
  readonly quiet?: boolean
  /** Runs scheduled functions unless false. */
  readonly schedules?: boolean
  /** Runs functions with the stream of events at once, and sends all events to the receiver, if true. Else the schedules relay and deliver events. */
  readonly events?: boolean
  /** Runs changed sources from the next call on, if true. */
  readonly reload?: boolean
  /** Serves each request by the function's bundle, in a process of its own as on Lambda, instead of its source. */
  readonly bundles?: boolean
}

/** A running stack. `info` has its addresses, secrets and demo users. */
export interface LocalStack {
  readonly info: LocalInfo
  /** The service's clock, as this process reads it. */
  readonly clock: Clock
  /** Resolves with the reason when a process of the stack ends by itself: close the stack then, it serves no longer. */
  readonly failed: Promise<Error>
  /** Runs a function as a request or a schedule does. */
  readonly invoke: typeof invokeFunction
  /** Stops every server and process, and restores the environment. You may call it twice. */
  close(): Promise<void>
}

/**
 * Starts the service at localhost with its dependencies on 127.0.0.1, seeded and ready. The functions run in this process and read its
 * environment when they are first called, so a process runs only a single stack, once. A failed start leaves nothing open.
 * @throws NodeJS.ErrnoException `EADDRINUSE` if the port is in use
 */
export async function startStack(options: StackOptions = {}): Promise<LocalStack> {
  const resources = createResourceScope()
  try {
    const opened = await open(options, resources)
    return { ...opened, close: () => resources.close() }
  } catch (error) {
    await resources.close()
    throw error
  }
}

/** The webhook's own port serves the webhook alone, as its Lambda URL does. */
const noControls = async () => undefined

async function open(
  { port = 0, dataDir, env, quiet, schedules = true, reload = false, bundles = false, events = false }: StackOptions,
  resources: ResourceScope,
): Promise<Omit<LocalStack, 'close'>> {
  const settings = readSettings({ ...process.env, ...env })
  const { region } = settings
  resources.add(setEnvironment({ AWS_REGION: region, ...(!settings.hasCredentials && dummyCredentials) }))

  const log = quiet ? silentRequestLog : consoleRequestLog()
  const { promise: controls, resolve: ready } = Promise.withResolvers<ReturnType<typeof localControls>>()
  // Replaced before the first request is served, if bundles serve it.
  let run = invokeFunction
  const invoke: typeof invokeFunction = (row, event) => run(row, event)
  const { promise: clock, resolve: clockIsOpen } = Promise.withResolvers<Clock>()
  const adorn = async (request: WireRequest, answer: WireAnswer) =>
    withClockNotice({ clock: await clock }, request, answer)
  const api = await resources.add(
    startHttpServer({ port, host: 'localhost', match: matchApiRoute, controls, adorn, invoke, log }),
  )
  const webhook = await resources.add(
    startHttpServer({ port: 0, match: matchUrl, controls: controls.then(() => noControls), invoke, log }),
  )

  const [stores, kms, gateway] = await Promise.all([
    openStores(settings, resources, dataDir),
    openKms(settings, resources),
    openStripe(settings, resources, { webhookUrl: webhook.url, dataDir }),
  ])
  const [tokenPublicKey, nameServer, ses, provider] = await Promise.all([
    readTokenPublicKey(kms, region),
    resources.add(startNameServer()),
    openSes(settings, resources, gateway.clock),
    openProvider(stores, { baseUrl: api.url, kmsEndpoint: kms, region, clock: gateway.clock }),
    seedAccounts(stores, api.url),
  ])

  const [webhookSecret, previousWebhookSecret = ''] = settings.webhookSecrets
  const info: LocalInfo = {
    base_url: api.url,
    issuer: settings.tokenIssuer ?? api.url,
    webhook_url: webhook.url,
    dynamodb_endpoint: stores.endpoint,
    kms_endpoint: kms,
    kms: { customer_key_id: localKeys.customer, token_key_id: localKeys.token },
    stripe: {
      api_base: gateway.apiBase,
      secret_key: settings.stripeSecretKey,
      publishable_key: settings.stripePublishableKey,
      webhook_secret: webhookSecret,
      previous_webhook_secret: previousWebhookSecret,
    },
    mail: { endpoint: ses, page: `${api.url}/_local/mail` },
    events: { url: `${api.url}${EVENTS_PATH}`, secret: localSecrets.eventSecret },
    dns: { server: nameServer.address, page: `${api.url}${DNS_PATH}` },
    tables: {
      accounts: tables.accounts.localName,
      billing: tables.billing.localName,
      audit_log: tables.auditLog.localName,
      events: tables.events.localName,
    },
    demo: {
      client_id: demoClient.clientId,
      client_secret: demoClient.clientSecret,
      redirect_uri: demoClient.redirectUri,
      public_client_id: demoPublicClient.clientId,
      device_client_id: demoDeviceClient.clientId,
      service_client_id: demoServiceClient.clientId,
      service_client_secret: demoServiceClient.clientSecret,
      ...demoUsers,
      organization_id: demoOrganizations.first.id,
      second_organization_id: demoOrganizations.second.id,
      other_organization_id: demoOrganizations.other.id,
    },
  }
  const { rateLimits, automaticTax, companySignIn, pwnedPasswordsUrl } = settings
  const { clockUrl } = gateway
  const source = { info, tokenPublicKey, clockUrl, rateLimits, automaticTax, companySignIn, pwnedPasswordsUrl, quiet }
  const variables = functionEnvironment(source)
  resources.add(setEnvironment(variables))
  if (bundles) {
    // Only then esbuild is loaded.
    const { serveBundles } = await import('./serveBundles.ts')
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
    const credentials = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION: region }
    run = (await resources.add(serveBundles({ environment: { ...credentials, ...variables }, quiet }))).invoke
  }
  if (reload) await resources.add(watchSources(new URL('../../', import.meta.url), log))
  clockIsOpen(gateway.clock)
  ready(
    localControls({
      info,
      stores,
      clock: gateway.clock,
      receiver: createReceiver(gateway.clock),
      txtRecords: nameServer.records,
      provider,
    }),
  )
  if (events) await resources.add(openEvents({ info, stores, region, invoke, log }))
  if (schedules) resources.add(runSchedules({ clock: gateway.clock, invoke, log }))
  return { info, clock: gateway.clock, failed: stores.died ?? new Promise(() => {}), invoke }
}
