import * as z from 'zod/mini'
import { toRfc3339 } from '../../core/clock.ts'
import { described, documented, moment, named } from '../../http/schema.ts'
import type { Organization, SignInRules } from '../ports.ts'

const MAX_ALLOWED_CLIENTS = 50

const descriptions = {
  second_factor_required_from:
    'From then on members need a second factor. Who has none gets 403 `second_factor_required`. `null`: no second factor is required.',
  max_session_days: 'How many days old the sign-in of a member may be. `null`: any age.',
  idle_hours:
    'After a pause of that many hours the session of a member no longer counts here. A pause is the time between two tokens that the session got. `null`: any pause.',
  allowed_clients:
    'The `client_id` of each third-party application that may act here. `[]`: none; `null`: all. The operator’s own applications and your API clients always may.',
}

/** The rules in the API. */
export const signInRulesResource = named(
  'SignInRules',
  z.strictObject({
    second_factor_required_from: described(descriptions.second_factor_required_from, z.nullable(z.iso.datetime())),
    max_session_days: described(descriptions.max_session_days, z.nullable(z.int())),
    idle_hours: described(descriptions.idle_hours, z.nullable(z.int())),
    allowed_clients: described(descriptions.allowed_clients, z.nullable(z.array(z.string()))),
  }),
)

export type SignInRulesResource = z.output<typeof signInRulesResource>

/** Maps the rules to the API's object. */
export function toSignInRulesResource(rules: SignInRules = {}): SignInRulesResource {
  return {
    second_factor_required_from: dateOf(rules.secondFactorFrom),
    max_session_days: rules.maxSessionDays ?? null,
    idle_hours: rules.idleHours ?? null,
    allowed_clients: rules.allowedClients ? [...rules.allowedClients] : null,
  }
}

/** Members of a change. What is left out stays as it is. */
export const signInRulesChange = {
  second_factor_required_from: documented(
    { type: ['string', 'null'], format: 'date-time', description: descriptions.second_factor_required_from },
    z.optional(z.nullable(moment)),
  ),
  max_session_days: optionalRule(descriptions.max_session_days, z.int().check(z.minimum(1), z.maximum(90))),
  idle_hours: optionalRule(descriptions.idle_hours, z.int().check(z.minimum(1), z.maximum(720))),
  allowed_clients: optionalRule(
    descriptions.allowed_clients,
    z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.maxLength(MAX_ALLOWED_CLIENTS)),
  ),
}

function optionalRule<Schema extends z.ZodMiniType>(description: string, schema: Schema) {
  return z.optional(described(description, z.nullable(schema)))
}

/** Whose organization requires what of sign-ins, for every member: in the organization. */
export const requiresResource = named(
  'OrganizationRequirements',
  z.strictObject({
    second_factor_from: described(
      'From then on every member needs a second factor. `null`: none is required.',
      z.nullable(z.iso.datetime()),
    ),
    sso: described(
      'Whether members with an address of a verified domain must sign in with the company’s own provider.',
      z.boolean(),
    ),
  }),
)

/** What every member may know of the rules. */
export function toRequiresResource({
  signInRules,
  signOn,
}: Pick<Organization, 'signInRules' | 'signOn'>): z.output<typeof requiresResource> {
  return { second_factor_from: dateOf(signInRules?.secondFactorFrom), sso: signOn?.isEnforced ?? false }
}

function dateOf(moment: number | undefined): string | null {
  return moment === undefined ? null : toRfc3339(moment)
}
