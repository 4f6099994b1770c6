import { describeSentExamples } from './describeSentExamples.ts'
import { cases } from './documentedSamples.ts'

/** Leaves the stranger an invitation, which another sample lists. */
const INVITES = 'organizations-accept'

// Of each operation the sample that is served; the deep tests send all of them.
await describeSentExamples(cases.filter(({ name, isServed }) => isServed || name === INVITES))
