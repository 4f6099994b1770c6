import { gatewayNameSchema } from '../../lib/billing/gatewayName.ts'
import type { MissingDetails } from '../../lib/billing/neededDetails.ts'
import type { OperateDeps } from '../../lib/billing/operate.ts'
import type { PaymentTerms } from '../../lib/billing/ports.ts'
import { switchGateway } from '../../lib/billing/switchGateway.ts'
import type { OrganizationId } from '../../lib/core/ids.ts'

/**
 * The terms that a command line names.
 * @throws Error for a gateway of another name, and where `days` is no number
 */
export function termsAskedFor(name: string | undefined, days: string | undefined): PaymentTerms {
  const gateway = gatewayNameSchema.safeParse(name).data
  if (!gateway) throw new Error(`the gateway is one of ${gatewayNameSchema.options.join(', ')}`)
  if (days !== undefined && !/^\d+$/.test(days)) throw new Error('N of --days is a number')
  return { gateway, ...(days !== undefined && { daysUntilDue: Number(days) }) }
}

/** `npm run operate -- gateway`: switches, and prints from what to what. Returns the exit code, 2 where it is refused. */
export async function runGatewayCommand(
  deps: OperateDeps,
  asked: { organizationId: OrganizationId } & PaymentTerms,
  { dryRun }: { dryRun: boolean },
): Promise<number> {
  const switched = await switchGateway(deps, asked, { dryRun })
  if ('why' in switched) {
    console.error(`gateway ${switched.kind}: ${switched.why}`)
    return switched.kind === 'refused' ? 2 : 1
  }
  const { kind, from, to, missing } = switched
  const verb = dryRun ? 'would be' : 'was'
  const done = `the organization ${verb} moved: ${text(from)} -> ${text(to)}`
  console.log(`gateway: ${kind === 'unchanged' ? `nothing to do, the organization has ${text(to)}` : done}`)
  const note = noteOn(missing)
  if (note) console.log(note)
  return 0
}

function text({ gateway, daysUntilDue }: PaymentTerms): string {
  return daysUntilDue === undefined ? gateway : `${gateway}, due after ${daysUntilDue} days`
}

/** What an owner has to do before the first purchase. */
function noteOn(missing: MissingDetails): string | undefined {
  const until = 'until then a checkout is refused with billing_details_required'
  if (missing === 'unknown')
    return 'Its billing details could not be read: run the command again to see what is missing.'
  return missing.length === 0 ? undefined : `Missing in its billing details: ${missing.join(', ')}; ${until}.`
}
