import { describeDashboard } from './describeDashboard.ts'

// The deep tests reverse the events.
describeDashboard('in order')
