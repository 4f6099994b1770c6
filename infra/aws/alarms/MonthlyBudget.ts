import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { Construct } from 'constructs'

/** Dollars a month, and who is mailed. */
interface MonthlyBudgetProps {
  readonly name: string
  readonly dollars: number
  readonly email: string
}

/** Mails where the account's month costs 80 % of its budget, or will by AWS's forecast cost more than all of it. One stage per account. */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { name, dollars, email }: MonthlyBudgetProps) {
    super(scope, id)
    const subscribers = [{ subscriptionType: 'EMAIL', address: email }]
    const above = (notificationType: string, threshold: number) => ({
      notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers,
    })
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: name,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollars, unit: 'USD' },
      },
      notificationsWithSubscribers: [above('ACTUAL', 80), above('FORECASTED', 100)],
    })
  }
}
