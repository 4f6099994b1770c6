import { describeSingles } from './describeSingles.ts'

// A third of the runs, in a file of their own so that two cores share them.
describeSingles(/^checkout of(?!.* by invoice$)/)
