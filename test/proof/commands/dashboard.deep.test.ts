import { describeDashboard } from './describeDashboard.ts'

describeDashboard('in order')
describeDashboard('reversed')
