import { exploreOrders } from './exploreOrders.ts'

const [, , size = '', preemptions = 'Infinity', every = '1'] = process.argv

/** `node runOrders.ts 2|3 [PREEMPTIONS [EVERY]]`: plays two acts, or three, side by side, each of the groups or each third of them, and prints what came of it as JSON. */
process.stdout.write(JSON.stringify(await exploreOrders(size === '3' ? 3 : 2, Number(preemptions), Number(every))))
