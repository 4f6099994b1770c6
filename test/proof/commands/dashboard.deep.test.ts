import { describeDashboard } from './describeDashboard.ts'

describeDashboard('reversed')
