import { describeSentExamples } from './describeSentExamples.ts'
import { cases } from './documentedSamples.ts'

await describeSentExamples(cases)
