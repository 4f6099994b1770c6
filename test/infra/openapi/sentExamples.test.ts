import { describeSentExamples } from './describeSentExamples.ts'
import { cases } from './documentedSamples.ts'

/** Leaves the stranger an invitation, which another sample lists. */
const INVITES = 'organizations-accept'

// Of each fourth operation the sample that is served; the deep tests send all of them.
const served = cases.filter(({ isServed }) => isServed)
await describeSentExamples(served.filter(({ name }, at) => at % 4 === 0 || name === INVITES))
