/** What the page of activity finds and saves. */
export const activityList = {
  kind: 'Kind of change',
  kinds: {
    any: 'Every change',
    products: 'Products',
    money: 'Cards, invoices and details',
    people: 'Members and invitations',
    programs: 'API clients and webhooks',
    organization: 'Organization',
  },
  person: 'Made by',
  anyone: 'Everyone',
  period: 'Period',
  periods: { any: 'All', 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days' },
  none: 'No change matches',
  showAll: 'Show all changes',
  save: 'Download CSV',
  file: 'activity',
  columns: { time: 'Time', person: 'Made by', change: 'Change', action: 'Action', target: 'Target', id: 'Id' },
}
