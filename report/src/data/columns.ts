/** What the inputs hold: columns, and values on which records are joined. */

/** A column of the table `records`. */
export interface RecordColumn {
  name: string;
  /** The name of its column in the table `records`: "c0", "c1", ... */
  key: string;
  /** Whether rules compute it, by `derive`. */
  derived: boolean;
  /** The expression of a derived column; `null` for others, and where inputs have different ones. */
  expression: string | null;
  masked: boolean;
  /** Whether it seems to hold personal data. */
  personal: boolean;
  /** Whether a rule, a `never` or a comparison reads it, itself or through derived columns. */
  used: boolean;
}

export interface Data {
  /** By input and column, in the order of the inputs and of their columns, then derived columns and expressions that rules
   *  read. */
  columns: ColumnFacts[];
  /** Values on which records are joined, those with the most candidates first; at most 40. */
  heavyKeys: HeavyKey[];
}

export interface ColumnFacts {
  /** The number of the input in `overview.inputs`. */
  input: number;
  /** The name of a column, or an expression such as "substr(zip, 1, 3)". */
  name: string;
  /** "column" of the input; "derived"; or "expression" of a rule. */
  kind: "column" | "derived" | "expression";
  /** Records of the input. */
  records: number;
  /** Records without a value. */
  nulls: number;
  /** Different values. */
  distinct: number;
  /** The values that most records have, if more than one has them: at most 8. Shortened to 80 characters. */
  heavy: { value: string; records: number }[];
  /** Whether `distinct` and `heavy` were counted. Those of a large input in a column that no rule reads are estimated, `heavy` from
   *  a sample of 50,000 records. */
  exact: boolean;
  /** Values that a rule needs as a number or date and that are neither. */
  unreadable: number;
  masked: boolean;
  personal: boolean;
  /** Whether rules read it. */
  used: boolean;
}

/** A value of a key. */
export interface HeavyKey {
  /** The number of the branch in `plan.branches` that joins on it; `null` where no branch does alone. */
  branch: number | null;
  /** "l.phone = r.phone", or several of them with " and " between them. */
  on: string;
  /** Its value; of several equalities their values with " | " between them. */
  value: string;
  /** Records with it; of a link of two inputs those of both. */
  records: number;
  /** Candidates that it makes. */
  candidates: number;
  /** Whether these numbers are of all records, and no estimates from a sample of 50,000 of each input. */
  exact: boolean;
}
