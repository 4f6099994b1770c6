import type { MissingDetails } from '../../lib/billing/customer/neededDetails.ts'
import { gatewayNameSchema } from '../../lib/billing/gateway/gatewayName.ts'
import { switchGateway } from '../../lib/billing/operate/switchGateway.ts'
import type { PaymentTerms } from '../../lib/billing/slot/ports.ts'
import { operateDeps, organizationOf, type Run } from './command.ts'

/** `gateway ORGANIZATION invoice --days N`, or `card`: switches, and prints the old and new terms. */
export const gateway: Run = async ([organization, name], { dryRun, days, connect }) => {
  const asked = { organizationId: organizationOf(organization), ...termsAskedFor(name, days) }
  await connect()
  const switched = await switchGateway(await operateDeps(), asked, { dryRun })
  switch (switched.kind) {
    case 'refused':
    case 'failed':
      console.error(`gateway ${switched.kind}: ${switched.why}`)
      return switched.kind === 'refused' ? 2 : 1
    case 'unchanged':
    case 'done': {
      const { kind, from, to, missing } = switched
      const verb = dryRun ? 'would be' : 'was'
      const done = `the organization ${verb} moved: ${text(from)} -> ${text(to)}`
      console.log(`gateway: ${kind === 'unchanged' ? `nothing to do, the organization has ${text(to)}` : done}`)
      const note = noteOn(missing)
      if (note) console.log(note)
      return 0
    }
  }
}

function termsAskedFor(name: string | undefined, days: string | undefined): PaymentTerms {
  const named = gatewayNameSchema.safeParse(name).data
  if (!named) throw new Error(`the gateway is one of ${gatewayNameSchema.options.join(', ')}`)
  if (days !== undefined && !/^\d+$/.test(days)) throw new Error('N of --days is a number')
  return { gateway: named, ...(days !== undefined && { daysUntilDue: Number(days) }) }
}

function text({ gateway: name, daysUntilDue }: PaymentTerms): string {
  return daysUntilDue === undefined ? name : `${name}, due after ${daysUntilDue} days`
}

/** Says what an owner must add before the first purchase. */
function noteOn(missing: MissingDetails): string | undefined {
  const until = 'until then a checkout is refused with billing_details_required'
  if (missing === 'unknown')
    return 'Its billing details could not be read: run the command again to see what is missing.'
  return missing.length === 0 ? undefined : `Missing in its billing details: ${missing.join(', ')}; ${until}.`
}
