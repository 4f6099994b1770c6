import { describeSignInFaults } from './describeSignInFaults.ts'

describeSignInFaults()
