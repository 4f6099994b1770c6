import { describeSampleEvents, sampleEvents } from './describeSampleEvents.ts'

await describeSampleEvents(sampleEvents)
