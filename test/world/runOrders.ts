import { exploreOrders, groupsByHand, groupsOf } from './exploreOrders.ts'

const [, , kind = '', preemptions = 'Infinity', every = '1'] = process.argv

/**
 * `node runOrders.ts 2|3|hand [PREEMPTIONS [EVERY]]`: plays two acts, or three, or one and a person's change side by side, all of the
 * groups or each third of them, and prints what came of it as JSON.
 */
const groups = kind === 'hand' ? groupsByHand(Number(every)) : groupsOf(kind === '3' ? 3 : 2, Number(every))
process.stdout.write(JSON.stringify(await exploreOrders(groups, Number(preemptions))))
