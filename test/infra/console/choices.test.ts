import { describe, expect, it } from '@jest/globals'
import { apiClientScopes } from '../../../infra/console/src/organizations/apiClientScopes.ts'
import { offeredTypes } from '../../../infra/console/src/webhooks/endpointDraft.ts'
import { resourceScopes } from '../../../lib/core/scopes.ts'
import { factTypes } from '../../../lib/events/eventTypes.ts'

describe('The console', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['every scope that an API client can have', apiClientScopes, resourceScopes],
    ['every type of facts', offeredTypes(['invoice.paid']), factTypes],
  ])('offers %s', (_, offered, all) => {
    expect(offered).toEqual(all)
  })
})
