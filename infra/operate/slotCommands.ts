import { productSchema } from '../../lib/billing/catalog.ts'
import type { MissingDetails } from '../../lib/billing/customer/missingDetails.ts'
import { gatewayNameSchema } from '../../lib/billing/gateway/gatewayName.ts'
import { adoptSubscription } from '../../lib/billing/operate/adoptSubscription.ts'
import type { OperateDeps, Operated } from '../../lib/billing/operate/operate.ts'
import { releaseSlot } from '../../lib/billing/operate/releaseSlot.ts'
import { switchGateway } from '../../lib/billing/operate/switchGateway.ts'
import type { PaymentTerms } from '../../lib/billing/slot/ports.ts'
import type { SlotName } from '../../lib/billing/slot/slot.ts'
import { type CommandOptions, operateDeps, organizationOf, type Run } from './command.ts'

type Change = (deps: OperateDeps, name: SlotName, options: CommandOptions) => Promise<Operated>

/** `release ORGANIZATION PRODUCT`. */
export const release: Run = (args, options) => onSlot('release', args, options, releaseSlot)

/** `adopt ORGANIZATION PRODUCT SUBSCRIPTION`. */
export const adopt: Run = (args, options) =>
  onSlot('adopt', args, options, (deps, name) =>
    adoptSubscription(deps, { ...name, subscriptionId: args[2] ?? '' }, options),
  )

async function onSlot(
  command: string,
  [organization, productName]: readonly string[],
  options: CommandOptions,
  change: Change,
): Promise<number> {
  const organizationId = organizationOf(organization)
  const product = productSchema.safeParse(productName).data
  if (!product) throw new Error(`PRODUCT is one of ${productSchema.options.join(', ')}`)
  await options.connect()
  const operated = await change(await operateDeps(), { organizationId, product }, options)
  if (operated.kind !== 'done') {
    console.error(`${command} ${operated.kind}: ${operated.why}`)
    return operated.kind === 'refused' ? 2 : 1
  }
  const { from, to, subscriptionId } = operated
  const verb = options.dryRun ? 'would be' : 'was'
  console.log(
    `${command}: the slot ${verb} ${from.state}, n=${from.n} -> ${to.state}, n=${to.n} ${subscriptionId ?? ''}`,
  )
  return 0
}

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
