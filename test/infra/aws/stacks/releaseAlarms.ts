import * as z from 'zod'
import type { synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

const alarm = z.looseObject({
  Period: z.number(),
  EvaluationPeriods: z.number(),
  AlarmDescription: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: reference })).default([]),
})

/** The alarms that a stage has during a release only. */
export const releaseAlarms = ({ service }: ReturnType<typeof synthesizeStage>) =>
  service
    .resources('AWS::CloudWatch::Alarm', alarm)
    .filter(({ Properties }) => Properties.AlarmDescription.includes('during a release'))
