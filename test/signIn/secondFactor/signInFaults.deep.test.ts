import { describeSignInFaults } from './describeSignInFaults.ts'

describeSignInFaults((scene) => scene !== 'the password before a second factor')
