import { exploreOrders } from './exploreOrders.ts'

/** `node runOrders.ts 2|3`: plays every two acts, or every three, side by side, and prints what came of it as JSON. */
process.stdout.write(JSON.stringify(await exploreOrders(process.argv[2] === '3' ? 3 : 2)))
