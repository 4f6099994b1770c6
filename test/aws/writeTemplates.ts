import { stageSettings } from '../../infra/data/stages.ts'
import { buildStage } from './assembled.ts'

// Prints the templates of the stage whose settings are the argument, each beside its stack's name.
const stage = stageSettings.parse(JSON.parse(process.argv[2] ?? ''))
process.stdout.write(JSON.stringify(buildStage(stage).templates))
