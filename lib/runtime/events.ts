import { createEndpointListing } from '../adapters/dynamodb/endpointListing.ts'
import { createOutbox } from '../adapters/dynamodb/outboxStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { RelayDeps } from '../events/relay/relayEvents.ts'
import type { Logger } from '../log/logger.ts'
import { clock } from './clock.ts'
import { documents, requireEventsTable } from './dynamodb.ts'
import { logger } from './logger.ts'

/** For numbering events and making their deliveries. */
export function relayDepsFromEnvironment(): RelayDeps & { readonly logger: Logger } {
  const table = requireEventsTable()
  const [outbox, endpoints] = [createOutbox(documents, table), createEndpointListing(documents, table)]
  return { outbox, endpoints, ids, clock, logger }
}
