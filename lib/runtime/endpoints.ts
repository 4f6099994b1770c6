import { createDeliveryQueue } from '../adapters/dynamodb/deliveryStore.ts'
import { createEndpointDeliveries } from '../adapters/dynamodb/endpointDeliveryStore.ts'
import { createEndpoints } from '../adapters/dynamodb/endpointStore.ts'
import { createEventLog } from '../adapters/dynamodb/eventLogStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { UpdateEndpointDeps } from '../events/endpoints/changeEndpoint.ts'
import type { CreateEndpointDeps } from '../events/endpoints/createEndpoint.ts'
import type { ChangeEndpointDeps, EndpointDeps } from '../events/endpoints/endpointDeps.ts'
import type { TestEndpointDeps } from '../events/endpoints/testEndpoint.ts'
import type { ListEventsDeps } from '../events/listEvents.ts'
import { clock } from './clock.ts'
import { allTables, documents, requireEventsTable } from './dynamodb.ts'
import { endpointUrlDepsFromEnvironment, webhookSecretCipher } from './events.ts'
import { logger } from './logger.ts'
import { organizationsFromEnvironment } from './memberAdmission.ts'

/** For reading the webhook endpoints of an organization. */
export function endpointDepsFromEnvironment(): EndpointDeps {
  const tables = allTables()
  return {
    organizations: organizationsFromEnvironment(),
    endpoints: createEndpoints(documents, { ...tables, events: requireEventsTable() }),
  }
}

/** For changing them. */
export function changeEndpointDepsFromEnvironment(): ChangeEndpointDeps {
  return { ...endpointDepsFromEnvironment(), ids, clock }
}

/** For changing their settings. */
export function updateEndpointDepsFromEnvironment(): UpdateEndpointDeps {
  return {
    ...changeEndpointDepsFromEnvironment(),
    urls: endpointUrlDepsFromEnvironment(),
    pending: createDeliveryQueue(documents, requireEventsTable()),
    logger,
  }
}

/** For reading the events that they hear. */
export function eventLogDepsFromEnvironment(): ListEventsDeps {
  const { organizations } = endpointDepsFromEnvironment()
  return { organizations, events: createEventLog(documents, requireEventsTable()), clock }
}

/** For what is sent to them. */
export function deliveriesDepsFromEnvironment(): TestEndpointDeps {
  const tables = { ...allTables(), events: requireEventsTable() }
  return { ...endpointDepsFromEnvironment(), deliveries: createEndpointDeliveries(documents, tables), ids, clock }
}

/** For creating them, and their secrets. */
export function createEndpointDepsFromEnvironment(): CreateEndpointDeps {
  return {
    ...endpointDepsFromEnvironment(),
    urls: endpointUrlDepsFromEnvironment(),
    cipher: webhookSecretCipher(),
    ids,
    clock,
  }
}
