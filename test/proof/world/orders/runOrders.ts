import { exploreOrders, groupsByHand, groupsByInvoice, groupsByPrice, groupsOf } from './exploreOrders.ts'

const [, , kind = '', preemptions = 'Infinity', every = '1'] = process.argv

/**
 * `node runOrders.ts 2|3|invoice|hand|price [PREEMPTIONS [EVERY]]`: plays two acts, or three, or two on what is sent invoices, or one and a
 * person's change side by side, all of the groups or each third of them, and prints what came of it as JSON.
 */
const groupsBy = {
  2: groupsOf.bind(null, 2),
  3: groupsOf.bind(null, 3),
  invoice: groupsByInvoice.bind(null, 2),
  hand: groupsByHand,
  price: groupsByPrice,
}
if (kind !== '2' && kind !== '3' && kind !== 'invoice' && kind !== 'hand' && kind !== 'price')
  throw new Error(`no groups are called ${kind}`)
const groups = groupsBy[kind](Number(every))
process.stdout.write(JSON.stringify(await exploreOrders(groups, Number(preemptions))))
