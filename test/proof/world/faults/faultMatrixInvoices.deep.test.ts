import { describeSingles } from './describeSingles.ts'

// Mostly the same code as by card, which is given every fault: here each fifth, at another await each time.
describeSingles(/ by invoice$| of surplus/, 5)
