import { describeStartUp, firstOfShape } from './describeStartUp.ts'

describeStartUp(firstOfShape)
