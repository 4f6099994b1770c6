import { describeSingles } from './describeSingles.ts'

// Half of the runs, in a file of their own so that two cores share them.
describeSingles((name) => name.startsWith('checkout of'))
