import { createEndpoints } from '../adapters/dynamodb/endpointStore.ts'
import { createOrganizationRecords } from '../adapters/dynamodb/organizationStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { CreateEndpointDeps } from '../events/endpoints/createEndpoint.ts'
import type { ChangeEndpointDeps, EndpointDeps } from '../events/endpoints/endpointDeps.ts'
import { clock } from './clock.ts'
import { allTables, documents, requireEventsTable } from './dynamodb.ts'
import { endpointUrlDepsFromEnvironment, webhookSecretCipher } from './events.ts'
import { throttledOrganizations } from './memberAdmission.ts'

/** For reading the webhook endpoints of an organization. */
export function endpointDepsFromEnvironment(): EndpointDeps {
  const tables = allTables()
  return {
    organizations: throttledOrganizations(createOrganizationRecords(documents, tables)),
    endpoints: createEndpoints(documents, { ...tables, events: requireEventsTable() }),
  }
}

/** For changing them. */
export function changeEndpointDepsFromEnvironment(): ChangeEndpointDeps {
  return { ...endpointDepsFromEnvironment(), ids, clock }
}

/** For creating them. */
export function createEndpointDepsFromEnvironment(): CreateEndpointDeps {
  return {
    ...endpointDepsFromEnvironment(),
    urls: endpointUrlDepsFromEnvironment(),
    cipher: webhookSecretCipher(),
    ids,
    clock,
  }
}
