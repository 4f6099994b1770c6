import { handNames } from './dashboard.ts'
import { playSequences } from './playSequences.ts'

// `node playEachKind.ts COUNT SEED`: plays so many sequences of each kind in one process, for most of its time goes into starting, and prints
// what came of them as JSON.
const [count, seed] = process.argv.slice(2).map(Number)
if (count === undefined || seed === undefined) throw new Error('usage: node playEachKind.ts COUNT SEED')
const played = {
  'organizations that pay by card': await playSequences(count, seed),
  'an organization that is sent invoices beside another': await playSequences(count, seed, { invoices: true }),
  'a person who works in the Dashboard': await playSequences(count, seed, { hands: handNames }),
}
process.stdout.write(JSON.stringify(played))
