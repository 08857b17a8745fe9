/** Entities: what the records of each cluster became, column by column. */

export interface Entities {
  /** One for each cluster, single records included. */
  entities: number;
  /** The columns of an entity, in their order. */
  columns: EntityColumn[];
}

export interface EntityColumn {
  name: string;
  /** How its value is taken: "most_frequent", "newest", "sum", ... */
  take: string;
  /** The number of the column of records that has this name; `null` where there is none, as for one that is only computed. */
  column: number | null;
  masked: boolean;
  /** Entities that have a value. */
  filled: number;
  /** Entities some of whose records have another value than the entity. 0 for sums, means and unions, which have all values. */
  disagreeing: number;
  /** Some of these, those whose records have the most other values first; at most 20, each a cluster of this report. Empty where the
   *  inputs could not be read. */
  examples: EntityExample[];
}

export interface EntityExample {
  /** The number of the cluster. */
  cluster: number;
  /** The value of the entity; `null` where it has none. */
  value: string | null;
  /** The number of the record that the value was taken from; `null` where there is none, or it is not in this report. */
  record: number | null;
  /** Different values of its other records. */
  others: number;
}
