//! Clusters of pairs that the caller has in memory.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use sameas::clusters::{ClusterPairsJob, ClusterSpec, MethodSpec, PairClusterTable};
use sameas::{Format, Input, OutputFolder, Session};

fn pairs(rows: &[(i64, i64, f64)]) -> Input {
    let ids = |id: fn(&(i64, i64, f64)) -> i64| Arc::new(Int64Array::from_iter_values(rows.iter().map(id))) as ArrayRef;
    let scores = Float64Array::from_iter_values(rows.iter().map(|row| row.2));
    let columns = [("id_l", ids(|row| row.0)), ("id_r", ids(|row| row.1)), ("score", Arc::new(scores) as ArrayRef)];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    Input::batches("pairs", batch.schema(), vec![batch]).unwrap()
}

#[test]
fn pairs_in_memory_become_clusters_in_memory_and_in_files() {
    let spec = ClusterSpec { method: MethodSpec::Complete, least: Some(0.5), ..ClusterSpec::default() };
    let job = ClusterPairsJob::new(pairs(&[(30, 2, 0.9), (7, 30, 0.8), (7, 30, 0.2)])).with_spec(spec);
    let session = Session::new().unwrap();
    let mut found = session.cluster_pairs(&job, &()).unwrap();
    assert_eq!((found.record().clusters, found.record().cut.method), (2, 1));
    assert_eq!([PairClusterTable::Clusters, PairClusterTable::Cut].map(|table| found.rows(table)), [3, 1]);
    let mut clusters = Vec::new();
    found
        .read(PairClusterTable::Clusters, &mut |batch| {
            assert_eq!(batch.schema(), found.schema(PairClusterTable::Clusters));
            let columns = [0, 1].map(|at| batch.column(at).as_primitive::<Int64Type>().values().to_vec());
            clusters.extend(columns[0].iter().copied().zip(columns[1].iter().copied()));
            Ok(())
        })
        .unwrap();
    assert_eq!(clusters, [(2, 2), (7, 7), (30, 2)]);
    let folder = tempfile::tempdir().unwrap();
    let out = OutputFolder::create(&folder.path().join("out"), false).unwrap();
    session.write_pair_clusters(&mut found, out, Format::Csv, &()).unwrap();
    let cut = std::fs::read_to_string(folder.path().join("out/cut.csv")).unwrap();
    assert_eq!(cut, "unique_id_l,unique_id_r,score,cause,because\n7,30,0.8,method,\n");
}
