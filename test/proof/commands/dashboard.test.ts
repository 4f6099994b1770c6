import { describeDashboard } from './describeDashboard.ts'

// The deep tests play every case, and reverse the events as well.
describeDashboard('in order', 4)
