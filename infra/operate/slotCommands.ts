import { productSchema } from '../../lib/billing/catalog.ts'
import { adoptSubscription } from '../../lib/billing/operate/adoptSubscription.ts'
import type { OperateDeps, Operated } from '../../lib/billing/operate/operate.ts'
import { releaseSlot } from '../../lib/billing/operate/releaseSlot.ts'
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
