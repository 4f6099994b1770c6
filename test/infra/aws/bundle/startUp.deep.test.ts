import { manifest } from '../../../../infra/manifest.ts'
import { describeStartUp, firstOfShape } from './describeStartUp.ts'

describeStartUp(manifest.map(({ name }) => name).filter((name) => !firstOfShape.includes(name)))
