import * as z from 'zod'
import { contract as cancel } from '../../functions/billing-cancel/contract.ts'
import { contract as checkout } from '../../functions/billing-checkout/contract.ts'
import { errorBody, gatewayError } from '../../lib/http/errorBody.ts'
import { oauthErrorBody } from '../../lib/http/tokenErrors.ts'
import { invitationResource, memberResource } from '../../lib/organizations/memberResource.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'
import { userResource } from '../../lib/users/userResource.ts'

const problem = z.object({
  loc: z
    .array(z.union([z.string(), z.int()]))
    .meta({ description: 'Where: path, query or body first, then names of members and positions in lists.' }),
  msg: z.string(),
  type: z.string(),
})

/** The body of every 422, as FastAPI names and draws it. */
export const httpValidationError = z.object({ detail: z.array(problem) })

const cartLineResult = checkout.responses[201].element
const [bought, refused] = cartLineResult.options
const cancelResult = cancel.responses[200]

/** Schemas under `components` by name; wherever a contract holds one of these very objects, the document refers to it. */
export const namedSchemas = {
  User: userResource,
  Organization: organizationResource,
  Member: memberResource,
  Invitation: invitationResource,
  CartLineResult: cartLineResult,
  BoughtLine: bought,
  RefusedLine: refused,
  CancelResult: cancelResult,
  Error: errorBody,
  OAuthError: oauthErrorBody,
  GatewayError: gatewayError,
  HTTPValidationError: httpValidationError,
  ValidationError: problem,
} as const
