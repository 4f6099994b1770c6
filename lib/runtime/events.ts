import { createHostResolver } from '../adapters/dns/hostResolver.ts'
import { createDeliveryQueue, parseDeliveryName } from '../adapters/dynamodb/deliveryStore.ts'
import { createEndpointListing } from '../adapters/dynamodb/endpointStore.ts'
import { organizationOfPartition } from '../adapters/dynamodb/eventKeys.ts'
import { createOutbox } from '../adapters/dynamodb/outboxStore.ts'
import { createWebhookSecretCipher } from '../adapters/kms/contextCipher.ts'
import { createKmsClient } from '../adapters/kms/kmsClient.ts'
import { ids } from '../adapters/random/ids.ts'
import { createWebhookSender } from '../adapters/webhooks/webhookSender.ts'
import { signWebhook } from '../adapters/webhooks/webhookSigner.ts'
import type { OrganizationId } from '../core/ids.ts'
import type { DeliveryName } from '../events/delivery/ports.ts'
import type { RunDeps } from '../events/delivery/runDeliveries.ts'
import type { EndpointUrlDeps } from '../events/endpointUrl.ts'
import type { WebhookSecretCipher } from '../events/ports.ts'
import type { RelayDeps } from '../events/relay/relayEvents.ts'
import type { Logger } from '../log/logger.ts'
import { clock } from './clock.ts'
import { documents, requireEventsTable } from './dynamodb.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'

/** For numbering events and making their deliveries. `organizationOf` names the organization of a partition. */
export function relayDepsFromEnvironment(): RelayDeps & {
  readonly logger: Logger
  readonly organizationOf: (partition: string) => OrganizationId
} {
  const table = requireEventsTable()
  const [outbox, endpoints] = [createOutbox(documents, table), createEndpointListing(documents, table)]
  return { outbox, endpoints, ids, clock, logger, organizationOf: organizationOfPartition }
}

/** For sending events to endpoints. `nameOf` names the delivery of an item. */
export function deliverDepsFromEnvironment(): RunDeps & {
  readonly nameOf: (item: Readonly<Record<'pk' | 'sk' | 'owner', string>>) => DeliveryName
} {
  const queue = createDeliveryQueue(documents, requireEventsTable())
  return {
    queue,
    pending: queue,
    cipher: webhookSecretCipher(),
    send: createWebhookSender(endpointUrlDepsFromEnvironment()),
    sign: signWebhook,
    clock,
    logger,
    random: Math.random,
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    nameOf: parseDeliveryName,
  }
}

/** For checking the URL of an endpoint. */
export function endpointUrlDepsFromEnvironment(): EndpointUrlDeps {
  const { EVENT_DESTINATIONS: destinations } = environment
  return { destinations, resolveHost: createHostResolver() }
}

export function webhookSecretCipher(): WebhookSecretCipher {
  const { AWS_REGION: region, CUSTOMER_KEY_ID: keyId } = environment
  return createWebhookSecretCipher({ client: createKmsClient({ region }), keyId })
}
