//! Picks the pairs that the demo explains.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use sameas::Error;

/// A pair worth a look.
pub struct Example {
    /// What is worth looking at.
    pub title: &'static str,
    /// The ids of its records.
    pub ids: [String; 2],
}

/// What the results and the truth say. Ids and names of the demo hold neither commas nor quotes.
struct Known {
    found: Vec<(Pair, String)>,
    nearly: Vec<(Pair, String)>,
    clusters: Vec<(String, String)>,
}

type Pair = [String; 2];

/// One pair found by similarity, one that came near and was rightly refused, one duplicate that was missed.
pub fn examples(folder: &Path) -> Result<Vec<Example>, Error> {
    let known = Known {
        found: pairs(&folder.join("found/pairs.csv"))?,
        nearly: pairs(&folder.join("nearly/pairs.csv"))?,
        clusters: rows(&folder.join("truth.csv"))?.into_iter().map(|[id, cluster, _]| (id, cluster)).collect(),
    };
    let picked = [
        ("A pair that only similarity finds", known.similar()),
        ("A near miss: two different people, rightly kept apart", known.near_miss()),
        ("A mistake: one person twice, and the rules do not see it", known.missed()),
    ];
    Ok(picked.into_iter().filter_map(|(title, ids)| Some(Example { title, ids: ids? })).collect())
}

impl Known {
    fn similar(&self) -> Option<Pair> {
        let similar = |key: &str| key.contains("similar name and street");
        let cluster = self.cluster_of();
        let good = |pair: &&Pair| cluster.get(&pair[0]) == cluster.get(&pair[1]);
        self.found.iter().filter(|(_, key)| similar(key)).map(|(pair, _)| pair).find(good).cloned()
    }

    fn near_miss(&self) -> Option<Pair> {
        let (cluster, found) = (self.cluster_of(), self.found_set());
        let apart = |pair: &&Pair| !found.contains(*pair) && cluster.get(&pair[0]) != cluster.get(&pair[1]);
        self.nearly.iter().map(|(pair, _)| pair).find(apart).cloned()
    }

    /// Records in the order of their rows, as pairs have them, so that the set of found pairs can be asked.
    fn missed(&self) -> Option<Pair> {
        let found = self.found_set();
        let mut first: HashMap<&str, &str> = HashMap::new();
        for (id, cluster) in &self.clusters {
            if let Some(earlier) = first.get(cluster.as_str()) {
                let pair = [(*earlier).to_owned(), id.clone()];
                if !found.contains(&pair) {
                    return Some(pair);
                }
            }
            first.entry(cluster).or_insert(id);
        }
        None
    }

    fn cluster_of(&self) -> HashMap<&String, &String> {
        self.clusters.iter().map(|(id, cluster)| (id, cluster)).collect()
    }

    fn found_set(&self) -> HashSet<&Pair> {
        self.found.iter().map(|(pair, _)| pair).collect()
    }
}

fn pairs(path: &Path) -> Result<Vec<(Pair, String)>, Error> {
    Ok(rows(path)?.into_iter().map(|[left, right, key]| ([left, right], key)).collect())
}

/// The rows behind the header, cut at their first two commas.
fn rows(path: &Path) -> Result<Vec<[String; 3]>, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::io("cannot read", path, error))?;
    let row = |line: &str| {
        let mut fields = line.splitn(3, ',').map(|field| field.trim_matches('"').to_owned());
        [(); 3].map(|()| fields.next().unwrap_or_default())
    };
    Ok(text.lines().skip(1).map(row).collect())
}
