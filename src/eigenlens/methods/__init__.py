"""The estimators, scikit-learn shaped, grouped by their mathematics."""
