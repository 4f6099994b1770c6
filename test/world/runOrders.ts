import { exploreOrders } from './exploreOrders.ts'

const [, , size = '', preemptions = 'Infinity'] = process.argv

/** `node runOrders.ts 2|3 [PREEMPTIONS]`: plays every two acts, or every three, side by side, and prints what came of it as JSON. */
process.stdout.write(JSON.stringify(await exploreOrders(size === '3' ? 3 : 2, Number(preemptions))))
