import { changes, type Row } from './row.ts'

/** The endpoints of organizations, which hear events. */
export const webhookRows = [
  {
    name: 'webhook-endpoints',
    operationId: 'listWebhookEndpoints',
    summary: 'List an organization’s webhook endpoints',
    note: 'Oldest first, without secrets.',
    trigger: { kind: 'http', method: 'GET', path: '/api/organizations/{organization_id}/webhook-endpoints' },
    caller: 'owner',
    samples: { served: 'owner' },
    rateLimit: { requestsPerMinute: 60, failMode: 'open' },
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem'], events: ['Query'] },
  },
  {
    name: 'webhook-endpoint-create',
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint of an organization',
    note: 'A URL that events are sent to, signed as Standard Webhooks 1.0 says. Only this answer has the `secret`; a repetition with the same `Idempotency-Key` has `null`. The URL must have `https` and a public address, else it is 422 at `["body","url"]`. An organization can have up to 10 webhook endpoints.',
    trigger: { kind: 'http', method: 'POST', path: '/api/organizations/{organization_id}/webhook-endpoints' },
    caller: 'owner',
    samples: { served: 'owner' },
    rateLimit: { requestsPerMinute: 10, failMode: 'open' },
    tables: {
      ...changes({ accounts: ['GetItem', 'PutItem'], billing: ['ConditionCheckItem'] }),
      events: ['GetItem', 'PutItem', 'UpdateItem'],
    },
    kms: { webhook: ['Encrypt'] },
  },
  {
    name: 'webhook-endpoint',
    operationId: 'getWebhookEndpoint',
    summary: 'Retrieve a webhook endpoint',
    trigger: {
      kind: 'http',
      method: 'GET',
      path: '/api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}',
    },
    caller: 'owner',
    samples: { served: 'owner' },
    rateLimit: { requestsPerMinute: 60, failMode: 'open' },
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem'], events: ['GetItem'] },
  },
  {
    name: 'webhook-endpoint-delete',
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    note: 'Nothing is sent to it from then on.',
    trigger: {
      kind: 'http',
      method: 'DELETE',
      path: '/api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}',
    },
    caller: 'owner',
    samples: { served: 'owner' },
    rateLimit: { requestsPerMinute: 20, failMode: 'open' },
    tables: { ...changes({ billing: ['ConditionCheckItem'] }), events: ['GetItem', 'UpdateItem', 'DeleteItem'] },
  },
] as const satisfies readonly Row[]
