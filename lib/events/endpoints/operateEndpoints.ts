import { RefusedUrlError } from '../errors.ts'
import type { Endpoint } from '../ports.ts'
import { type EndpointSettings, MAX_ENDPOINTS, type NewEndpointDeps, newEndpoint, newSecret } from './newEndpoint.ts'
import type { EndpointDeliveries, Endpoints } from './ports.ts'
import { SECRET_OVERLAP } from './rotateEndpointSecret.ts'
import { testDelivery } from './testEndpoint.ts'

export interface OperateEndpointsDeps extends NewEndpointDeps {
  readonly endpoints: Endpoints
  readonly deliveries: Pick<EndpointDeliveries, 'add'>
}

/** What an operator does to an endpoint that hears every organization. */
export type EndpointOperation =
  | { readonly kind: 'add'; readonly settings: EndpointSettings }
  | { readonly kind: 'remove' | 'rotate' | 'test' | 'enable'; readonly id: string }

/** The outcome; with a secret if a new one was made. */
export type OperatedEndpoint =
  | { readonly kind: 'done'; readonly endpoint: Endpoint; readonly secret?: string }
  | { readonly kind: 'refused'; readonly why: string }

const disabled = { kind: 'refused', why: 'the endpoint is disabled: webhooks enable ID' } as const
const gone = { kind: 'refused', why: 'there is no such endpoint of the operator' } as const

/**
 * Adds, removes, enables or tests an endpoint of the operator, or rotates its secret. A dry run checks the same and writes nothing.
 * @throws CommonError `service_unavailable`: then it may be done
 */
export async function operateOnEndpoint(
  deps: OperateEndpointsDeps,
  operation: EndpointOperation,
  { dryRun }: { dryRun: boolean },
): Promise<OperatedEndpoint> {
  if (operation.kind === 'add') return add(deps, operation.settings, dryRun)
  const endpoint = await deps.endpoints.find('operator', operation.id)
  if (endpoint === undefined) return gone
  if (operation.kind === 'test' && !endpoint.enabled) return disabled
  if (dryRun) return { kind: 'done', endpoint }
  switch (operation.kind) {
    case 'remove':
      return outcomeOf(await deps.endpoints.delete(endpoint), endpoint)
    case 'test':
      return outcomeOf(await deps.deliveries.add(testDelivery(deps, endpoint)), endpoint)
    case 'enable': {
      const enabled = { ...endpoint, enabled: true, disabledReason: null }
      return outcomeOf(endpoint.enabled ? 'written' : await deps.endpoints.change(endpoint, enabled), enabled)
    }
    case 'rotate': {
      const { secret, cipher } = await newSecret(deps, 'operator')
      const rotation = { secret: cipher, previousUntil: deps.clock.now() + SECRET_OVERLAP }
      return outcomeOf(await deps.endpoints.rotate(endpoint, rotation), endpoint, secret)
    }
  }
}

async function add(deps: OperateEndpointsDeps, settings: EndpointSettings, dryRun: boolean): Promise<OperatedEndpoint> {
  const tooMany = { kind: 'refused', why: `the operator has ${MAX_ENDPOINTS} endpoints; remove one first` } as const
  try {
    const made = await newEndpoint(deps, { owner: 'operator', id: deps.ids.uuid(), ...settings })
    const { endpoint, secret, cipher } = made
    if (dryRun) {
      const all = await deps.endpoints.list('operator')
      return all.length < MAX_ENDPOINTS ? { kind: 'done', endpoint } : tooMany
    }
    const outcome = await deps.endpoints.create(endpoint, cipher)
    return outcome === 'too_many' ? tooMany : outcomeOf(outcome === 'exists' ? 'written' : outcome, endpoint, secret)
  } catch (error) {
    if (!(error instanceof RefusedUrlError)) throw error
    return { kind: 'refused', why: `events cannot be sent to this URL: ${error.fault}` }
  }
}

function outcomeOf(outcome: 'written' | 'conflict', endpoint: Endpoint, secret?: string): OperatedEndpoint {
  if (outcome === 'conflict') return { kind: 'refused', why: 'another command was in the way: look again' }
  return { kind: 'done', endpoint, ...(secret !== undefined && { secret }) }
}
