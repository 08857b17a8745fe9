//! The words of publications: titles and venues, the common ones first.

/// Nouns of titles.
pub const NOUNS: &str = "data query database system model network analysis graph learning search optimization processing \
algorithm information knowledge web index performance language structure application design framework approach time stream \
storage memory transaction schema pattern cluster relation view tree join set record object logic constraint text image \
service user software architecture method evaluation management integration mining retrieval evolution environment machine \
cache server protocol sequence string path cost plan sampling similarity duplicate entity resolution linkage blocking \
quality provenance privacy security trust workflow warehouse aggregate cube histogram statistic estimate selectivity \
cardinality predicate rule dependency normalization key hash partition replica consistency concurrency recovery log lock \
snapshot version archive document markup keyword ranking relevance recommendation preference feature vector embedding \
kernel tensor matrix factorization regression classification detection recognition extraction annotation ontology \
semantics reasoning inference verification specification compiler program code bug test failure energy power sensor device \
processor core thread vector accelerator disk flash file block page buffer bandwidth latency throughput load balance \
skew scheduling allocation migration cloud grid peer overlay routing topology wireless mobile location trajectory region \
map surface mesh signal frequency filter compression encoding encryption signature authentication access policy market \
auction game strategy agent planning control robot vision speech dialogue translation grammar corpus word sentence topic \
community influence diffusion crowd task worker science experiment simulation visualization interface interaction";

/// Adjectives of titles.
pub const ADJECTIVES: &str = "efficient distributed parallel adaptive dynamic scalable relational temporal spatial incremental \
approximate probabilistic semantic optimal robust fast secure interactive automatic declarative multidimensional \
heterogeneous hierarchical logical physical active deductive deep statistical geometric uncertain continuous progressive \
private federated mobile large-scale high-dimensional real-time cost-based rule-based content-based object-oriented \
in-memory column-oriented cache-conscious skew-aware self-tuning lock-free fault-tolerant energy-efficient context-aware \
cross-lingual domain-specific end-to-end fine-grained general-purpose graph-based privacy-preserving query-driven \
sparse stochastic streaming structured unified unsupervised versatile virtual weighted linear nested nonlinear online";

/// Verbs that open a title.
pub const GERUNDS: &str = "mining querying optimizing learning managing processing indexing integrating evaluating searching \
discovering supporting building estimating computing maintaining modeling exploiting answering finding detecting \
matching cleaning clustering ranking sampling scaling securing sharing tracking understanding verifying visualizing";

/// Venues: the full name and the forms that other catalogues use.
pub const VENUES: [(&str, &str, &str); 30] = [
    ("Proceedings of the International Conference on Management of Data", "SIGMOD Conference", "SIGMOD"),
    ("International Conference on Very Large Data Bases", "VLDB", "Proc. Very Large Data Bases"),
    ("IEEE International Conference on Data Engineering", "ICDE", "Proc. Data Eng."),
    ("ACM Transactions on Database Systems", "TODS", "ACM Trans. Database Syst."),
    ("IEEE Transactions on Knowledge and Data Engineering", "TKDE", "IEEE Trans. Knowl. Data Eng."),
    ("The International Journal on Very Large Data Bases", "VLDB J.", "VLDB Journal"),
    ("International Conference on Extending Database Technology", "EDBT", "Proc. EDBT"),
    ("Conference on Information and Knowledge Management", "CIKM", "Proc. Inf. Knowl. Manage."),
    ("Symposium on Principles of Database Systems", "PODS", "Proc. PODS"),
    ("Knowledge Discovery and Data Mining", "KDD", "SIGKDD"),
    ("International World Wide Web Conference", "WWW", "Web Conf."),
    ("Conference on Research and Development in Information Retrieval", "SIGIR", "Proc. SIGIR"),
    ("Symposium on Operating Systems Principles", "SOSP", "Proc. SOSP"),
    ("Symposium on Operating Systems Design and Implementation", "OSDI", "Proc. OSDI"),
    ("Symposium on Networked Systems Design and Implementation", "NSDI", "Proc. NSDI"),
    ("International Conference on Machine Learning", "ICML", "Proc. Mach. Learn."),
    ("Advances in Neural Information Processing Systems", "NeurIPS", "NIPS"),
    ("Conference on Artificial Intelligence", "AAAI", "Proc. AAAI"),
    ("Annual Meeting of the Association for Computational Linguistics", "ACL", "Proc. ACL"),
    ("International Conference on Software Engineering", "ICSE", "Proc. Softw. Eng."),
    ("Journal of the ACM", "JACM", "J. ACM"),
    ("Communications of the ACM", "CACM", "Commun. ACM"),
    ("Information Systems", "Inf. Syst.", "IS"),
    ("Data and Knowledge Engineering", "DKE", "Data Knowl. Eng."),
    ("ACM Computing Surveys", "CSUR", "ACM Comput. Surv."),
    ("International Symposium on Computer Architecture", "ISCA", "Proc. Comput. Archit."),
    ("Conference on Programming Language Design and Implementation", "PLDI", "Proc. PLDI"),
    ("SIGMOD Record", "SIGMOD Rec.", "ACM SIGMOD Record"),
    ("Journal of Machine Learning Research", "JMLR", "J. Mach. Learn. Res."),
    ("Conference on Innovative Data Systems Research", "CIDR", "Proc. CIDR"),
];
